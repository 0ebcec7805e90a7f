// The live connection: requests with answers, events, and coming back after a loss.

const FIRST_DELAY = 400;
const LONGEST_DELAY = 5000;

export class Socket {
  /** `onEvent` gets what the server says of its own accord, `onStatus` whether the connection stands. */
  constructor(player, onEvent, onStatus) {
    this.player = player;
    this.onEvent = onEvent;
    this.onStatus = onStatus;
    this.delay = FIRST_DELAY;
    this.number = 0;
    this.waiting = new Map();
    this.connect();
  }

  connect() {
    const query = this.player ? `?player=${encodeURIComponent(this.player)}` : "";
    const ws = new WebSocket(`ws://${location.host}/socket${query}`);
    this.ws = ws;
    ws.addEventListener("open", () => {
      this.delay = FIRST_DELAY;
      this.onStatus(true);
    });
    ws.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    ws.addEventListener("close", () => {
      for (const handler of this.waiting.values()) handler({ t: "failed" });
      this.waiting.clear();
      if (this.closed) return;
      this.onStatus(false);
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(LONGEST_DELAY, this.delay * 2);
    });
  }

  receive(payload) {
    const handler = payload.n === undefined ? null : this.waiting.get(payload.n);
    if (handler) {
      this.waiting.delete(payload.n);
      handler(payload);
    } else {
      this.onEvent(payload);
    }
  }

  /** Sends an operation; `handler` gets its answer, refusal or failure. */
  send(op, values = {}, handler = () => {}) {
    if (this.ws.readyState !== WebSocket.OPEN) {
      handler({ t: "failed" });
      return;
    }
    const n = ++this.number;
    this.waiting.set(n, handler);
    this.ws.send(JSON.stringify({ op, n, ...values }));
  }

  close() {
    this.closed = true;
    this.ws.close();
  }
}
