import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { EnvironmentVariables } from '../config'

/** `tilth demo` beside a Tilth that has just started, in a process of its own: making up events is work. */
export interface DemoChild {
  stop(): void
}

/** `port` is the one that is really listened on. What it has to say it says itself. */
export function startDemo({
  root,
  port,
  environment,
}: {
  root: string
  port: number
  environment: EnvironmentVariables
}): DemoChild {
  const child: ChildProcess = fork(join(root, 'bin', 'tilth.js'), ['demo'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    env: { NODE_ENV: 'production', ...environment, PORT: String(port) },
  })
  // one that cannot even begin is no reason to end what it is to fill
  child.once('error', (problem) =>
    process.stderr.write(`The demo could not be started: ${problem.message}\n`),
  )
  child.channel?.unref()
  return { stop: () => void child.kill('SIGTERM') }
}
