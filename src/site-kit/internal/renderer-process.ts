import type { ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { forkProgram } from '#processes/fork-program'
import { rendererMessage, type RendererMessage, type RendererRequest } from '../protocol'

interface RendererListeners {
  onMessage: (message: RendererMessage) => void
  /** Called once if the process ends by itself. */
  onEnd: (reason: string) => void
}

const maxHeapMegabytes = 192

/**
 * A process with the modules of a team. It gets neither the settings of Tilth nor its handles, reads no files but its
 * own program, writes none, and starts no other process.
 */
export class RendererProcess {
  private readonly child: ChildProcess
  private lastOutput = ''

  constructor(program: string, { onMessage, onEnd }: RendererListeners) {
    this.child = forkProgram(program, [], {
      execArgv: [
        '--permission',
        `--allow-fs-read=${dirname(program)}`,
        '--enable-source-maps',
        `--max-old-space-size=${maxHeapMegabytes}`,
        '--disable-warning=SecurityWarning',
      ],
      env: { NODE_ENV: 'production' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.child.stderr?.on('data', (words) => (this.lastOutput = `${this.lastOutput}${words}`.slice(-1000)))
    this.child.on('message', (message) => {
      const read = rendererMessage.safeParse(message)
      if (read.success) onMessage(read.data)
    })
    this.child.once('error', (problem) => onEnd(problem.message))
    this.child.once('exit', (status, signal) => onEnd(this.lastOutput.trim() || `exit ${status ?? signal}`))
  }

  send(request: RendererRequest): void {
    // a process that is ending reports its end in its own time
    if (this.child.connected) this.child.send(request, () => {})
  }

  kill(): void {
    this.child.removeAllListeners()
    this.child.on('error', () => {})
    this.child.kill('SIGKILL')
  }
}
