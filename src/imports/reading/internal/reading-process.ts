import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { forkProgram } from '#processes/fork-program'
import type { ReadingEnd, ReadingMessage, ReadingReceiver, ReadingRequest } from '../reading'

/** Files that are being read in another process. */
export interface RunningReading {
  /** Resolves when the reading ended by itself, was stopped, or failed. */
  ended: Promise<ReadingEnd | { kind: 'stopped' } | { kind: 'failed'; why: string }>
  stop: () => void
}

export type StartReading = (
  request: ReadingRequest,
  receiver: ReadingReceiver,
  /** The folder for the files that the process needs meanwhile. */
  workFolder: string,
) => RunningReading

/** The build puts it beside the file that this code becomes part of. */
const builtProgram = fileURLToPath(new URL('./reading-program.js', import.meta.url))

/** A row may have 16 MB, and is held several times while it is read. */
const maxHeapMegabytes = 256

/** Reads files in a process of low priority and limited memory, which ends with this one. */
export const startReading: StartReading = (request, receiver, workFolder) => {
  const child = forkProgram(builtProgram, [], {
    execArgv: [`--max-old-space-size=${maxHeapMegabytes}`],
    env: { NODE_ENV: 'production', TMPDIR: workFolder },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let isStopped = false
  const ended = endOf(child, receiver)
  child.send(request, () => {})
  return {
    ended: ended.then((end) => (isStopped ? { kind: 'stopped' } : end)),
    stop() {
      isStopped = true
      child.kill('SIGKILL')
    },
  }
}

function endOf(
  child: ChildProcess,
  receiver: ReadingReceiver,
): Promise<ReadingEnd | { kind: 'failed'; why: string }> {
  let complaint = ''
  child.stderr?.on('data', (text) => (complaint = (complaint + String(text)).slice(-2000)))
  return new Promise((resolve) => {
    child.once('error', (problem) => resolve({ kind: 'failed', why: problem.message }))
    child.once('close', (code, signal) => resolve({ kind: 'failed', why: whyEnded(code, signal, complaint) }))
    child.on('message', (message: ReadingMessage) => {
      if (message.kind === 'progress') receiver.progress(message.rows)
      else if (message.kind !== 'portion') resolve(message)
      else
        receiver.portion(message.portion).then(
          () => child.send({}, () => {}),
          () => child.kill('SIGKILL'),
        )
    })
  })
}

/** Node aborts where its heap is full. */
const whyEnded = (code: number | null, signal: string | null, complaint: string): string =>
  signal === 'SIGABRT' || /heap out of memory/.test(complaint)
    ? 'The files take more memory to read than they should.'
    : `The process that reads the files ended with ${signal ?? code}. ${complaint.trim().split('\n').at(-1) ?? ''}`.trim()
