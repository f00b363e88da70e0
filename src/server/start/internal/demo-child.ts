import { join } from 'node:path'
import { forkProgram } from '#processes/fork-program'
import type { EnvironmentVariables } from '../../config'

/**
 * Runs `tilth demo` beside a Tilth that has just started, as a process of its own, because generating events takes
 * time.
 */
export interface DemoChild {
  stop(): void
}

/** `port` is the actual one. The child prints its own messages. */
export function startDemo({
  root,
  port,
  environment,
}: {
  root: string
  port: number
  environment: EnvironmentVariables
}): DemoChild {
  const child = forkProgram(join(root, 'bin', 'tilth.js'), ['demo'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    env: { NODE_ENV: 'production', ...environment, PORT: String(port) },
  })
  // a demo that cannot start does not end Tilth
  child.once('error', (problem) =>
    process.stderr.write(`The demo could not be started: ${problem.message}\n`),
  )
  child.channel?.unref()
  return { stop: () => void child.kill('SIGTERM') }
}
