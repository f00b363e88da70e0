import type { ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { forkProgram } from '#processes/fork-program'
import { type KitManifest, programOf, reactOf } from '../kit-manifest'
import {
  type KitSurroundings,
  type LoadRequest,
  parseRendererMessage,
  type RendererMessage,
  type RendererRequest,
} from '../protocol'

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

  private constructor(program: string, { readable, isDev }: { readable: string; isDev: boolean }) {
    this.child = forkProgram(program, [], {
      execArgv: [
        '--permission',
        `--allow-fs-read=${readable}`,
        '--enable-source-maps',
        `--max-old-space-size=${maxHeapMegabytes}`,
        '--disable-warning=SecurityWarning',
      ],
      env: { NODE_ENV: isDev ? 'development' : 'production' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.child.stderr?.on('data', (words) => (this.lastOutput = `${this.lastOutput}${words}`.slice(-1000)))
  }

  static of(manifest: KitManifest, output: string, surroundings: KitSurroundings): RendererProcess {
    const program = programOf(output, manifest)
    const started = new RendererProcess(program, { readable: dirname(program), isDev: false })
    // a message, because the environment of a process can be read in /proc
    started.send({ kind: 'surroundings', surroundings })
    return started
  }

  /** Starts a process of `tilth dev` before its build is there. It may read all builds of the folder. */
  static waiting(output: string): RendererProcess {
    return new RendererProcess(reactOf(output), { readable: output, isDev: true })
  }

  get isRunning(): boolean {
    return this.child.connected
  }

  /** Gives a waiting process its build. */
  load(manifest: KitManifest, output: string, surroundings: KitSurroundings): void {
    this.write({ program: pathToFileURL(programOf(output, manifest)).href })
    this.send({ kind: 'surroundings', surroundings })
  }

  listen({ onMessage, onEnd }: RendererListeners): void {
    this.child.on('message', (message) => {
      const parsed = parseRendererMessage(message)
      if (parsed) onMessage(parsed)
    })
    this.child.once('error', (problem) => onEnd(problem.message))
    this.child.once('exit', (status, signal) => onEnd(this.lastOutput.trim() || `exit ${status ?? signal}`))
  }

  send(request: RendererRequest): void {
    this.write(request)
  }

  kill(): void {
    this.child.removeAllListeners()
    this.child.on('error', () => {})
    this.child.kill('SIGKILL')
  }

  private write(message: RendererRequest | LoadRequest): void {
    // a process that is ending reports its end in its own time
    if (this.child.connected) this.child.send(message, () => {})
  }
}
