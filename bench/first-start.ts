import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, megabytes } from './report'

/** Clones the last commit and runs `npm start` there with an empty npm cache, as on a machine that never saw Tilth. */
export async function firstStart(folder: string): Promise<Finding[]> {
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', process.cwd(), clone])
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      ...process.env,
      PORT: '0',
      TILTH_DATA: join(folder, 'first-data'),
      npm_config_cache: join(folder, 'npm-cache'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const text = await untilReady(child)
  const seconds = (performance.now() - began) / 1000
  child.kill('SIGTERM')
  await ended
  const steps = [...text.matchAll(/^✓ (.+) \((\d+\.\d s)\)$/gm)]
  return [
    {
      what: 'clone to ready',
      measured: `${seconds.toFixed(1)} s`,
      beside: 'empty npm cache; hoped for: 75 s',
    },
    ...steps.map(([, title = '', took = '']) => ({ what: `of that, ${title}`, measured: took })),
    installed(join(clone, 'node_modules')),
  ]
}

function untilReady(child: ReturnType<typeof spawn>): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const hear = (chunk: unknown) => {
      text += String(chunk)
      if (/^Tilth is ready at /m.test(text)) resolve(text)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', () => reject(new Error(`It ended before it was ready:\n${text}`)))
  })
}

function installed(folder: string): Finding {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return {
    what: 'packages of a first start',
    measured: megabytes(bytes),
    beside: `${files.length.toLocaleString('en')} files`,
  }
}
