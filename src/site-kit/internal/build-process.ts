import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { forkProgram } from '#processes/fork-program'
import { type BuildOutcome, buildOutcome } from '../kit-manifest'
import type { RunnableBuild } from '../site-kit'

const buildReply = z.object({ outcome: buildOutcome, memoryBytes: z.number() })
/** The answer of the process to each message that asks for a build. */
export type BuildReply = z.infer<typeof buildReply>

interface BuildLimits {
  timeoutMs: number
  /** A process that has grown beyond it is replaced before the next build. */
  memoryBytes: number
}

const usualLimits: BuildLimits = { timeoutMs: 60_000, memoryBytes: 600_000_000 }

interface RunningBuilder {
  child: ChildProcess
  /** Aborted when the process ends, with the reason. */
  ended: AbortSignal
}

/**
 * Builds a site folder in a process of its own. That of `tilth dev` is kept, so that only what has changed is built
 * again; any other one ends with its build.
 */
export class BuildProcess {
  private running: RunningBuilder | undefined

  constructor(
    private readonly settings: RunnableBuild,
    private readonly limits = usualLimits,
  ) {}

  async build(signal?: AbortSignal): Promise<BuildOutcome> {
    const { child, ended } = (this.running ??= this.start())
    const signals = [ended, AbortSignal.timeout(this.limits.timeoutMs), ...(signal ? [signal] : [])]
    const aborted = AbortSignal.any(signals)
    try {
      const reply = once(child, 'message', { signal: aborted })
      child.send('build', () => {})
      const { outcome, memoryBytes } = buildReply.parse((await reply)[0])
      if (!this.settings.isDev || memoryBytes > this.limits.memoryBytes) this.close()
      return outcome
    } catch (problem) {
      this.close()
      throw aborted.aborted ? aborted.reason : problem
    }
  }

  close(): void {
    this.running?.child.kill('SIGKILL')
    this.running = undefined
  }

  private start(): RunningBuilder {
    const { program, folder, output, runtime, packages, isDev } = this.settings
    const child = forkProgram(program, [folder, output, runtime, packages], {
      execArgv: [],
      env: { NODE_ENV: isDev ? 'development' : 'production', PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const ended = new AbortController()
    let lastOutput = ''
    child.stderr?.on('data', (words) => (lastOutput = `${lastOutput}${words}`.slice(-2000)))
    child.once('error', (problem) => ended.abort(problem))
    child.once('close', (status, signal) => {
      ended.abort(new Error(`The build process ended: ${lastOutput.trim() || `exit ${status ?? signal}`}`))
      if (this.running?.child === child) this.running = undefined
    })
    return { child, ended: ended.signal }
  }
}
