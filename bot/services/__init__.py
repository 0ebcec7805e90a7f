"""What the bot does, without Discord: values in, values out, all of it kept in the store."""
