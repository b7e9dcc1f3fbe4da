// Loaded into a child process before anything else: it ends with the process that started it, also when that one was
// killed.
process.channel?.unref();
process.on('disconnect', () => process.exit(1));
