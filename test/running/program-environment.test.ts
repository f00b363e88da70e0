import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../../bin/run.js'

/** The environment of npm as a start runs it. */
async function environmentOfNpm(given: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
  writeFileSync(join(folder, 'package.json'), '{}')
  const output: string = await run('npm', ['run', 'env'], { cwd: folder })
  return output.split('\n')
}

test('npm gets no setting, no password and no address with one, and keeps what its registry needs', async () => {
  const lines = await environmentOfNpm({
    TILTH_STORE: 'postgres://tilth:hush-1@db/tilth',
    TILTH_METRICS_TOKEN: 'hush-2',
    PGPASSWORD: 'hush-3',
    DATABASE_URL: 'postgresql://tilth:hush-4@db/tilth',
    SMTP_PASS: 'hush-5',
    AWS_SECRET_ACCESS_KEY: 'hush-6',
    NODE_AUTH_TOKEN: 'for the registry',
    https_proxy: 'http://proxy:for-the-proxy@127.0.0.1:9',
    HOMEPAGE: 'https://tilth.example/@team',
  })

  expect(lines.filter((line) => line.includes('hush-'))).toEqual([])
  expect(lines.filter((line) => line.startsWith('TILTH_'))).toEqual([])
  expect(lines).toEqual(
    expect.arrayContaining([
      'NODE_AUTH_TOKEN=for the registry',
      'https_proxy=http://proxy:for-the-proxy@127.0.0.1:9',
      'HOMEPAGE=https://tilth.example/@team',
    ]),
  )
})
