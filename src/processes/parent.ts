/**
 * Ends this process, a child, the moment its parent is gone, however the parent went. Even a parent killed by SIGKILL
 * closes the channel, and a child that lived on would keep its files locked.
 */
export function exitWithParent(): void {
  if (!process.send) throw new Error('This file is started by Tilth as a child process. Use `tilth start`.')
  process.once('disconnect', killSelf)
  if (!process.connected) killSelf()
}

/** Avoids `process.exit`: exit handlers of native code may hang or crash, and no orderly end is needed. */
function killSelf(): void {
  process.kill(process.pid, 'SIGKILL')
}
