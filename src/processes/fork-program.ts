import { ChildProcess, fork, type ForkOptions } from 'node:child_process'

/**
 * Forks a program of Tilth. A program that cannot be started, such as for want of descriptors or memory, is a child
 * that emits `error` and `close` a moment later and drops every message: `fork` alone returns a child without `send`,
 * throws, or ends this process where nothing listens.
 */
export function forkProgram(program: string, args: readonly string[], options: ForkOptions): ChildProcess {
  const child = forkOrFail(program, args, options)
  child.on('error', () => {})
  if (child.pid === undefined) {
    child.send = () => false
    // before it has failed, its handle names no process of its own
    child.kill = () => false
  }
  return child
}

function forkOrFail(...start: Parameters<typeof forkProgram>): ChildProcess {
  try {
    return fork(...start)
  } catch (problem) {
    const child = new ChildProcess()
    process.nextTick(() => {
      child.emit('error', problem)
      child.emit('close', null, null)
    })
    return child
  }
}
