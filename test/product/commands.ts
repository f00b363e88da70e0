import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { onTestFinished, vi } from 'vitest'
import type { TilthCommand } from '#cli/command'
import { temporarySettings } from '#engine/internal/temporary'
import { aFolder } from './fixture'

/** Makes a folder with the program of the engine's process, beside the packages as a built one is. */
export async function aProgramsFolder(): Promise<string> {
  const { childEntry } = await temporarySettings()
  const programs = mkdtempSync(join(dirname(childEntry), 'programs-'))
  // the engine's own account reads them, as it does where Tilth is installed
  chmodSync(programs, 0o755)
  onTestFinished(() => rmSync(programs, { recursive: true }))
  writeFileSync(join(programs, 'engine-child.js'), `import(${JSON.stringify(childEntry)})`)
  return programs
}

/** Runs commands in this process, with what they print and their exit code. */
export async function commandsFor(dataFolder: string) {
  const programs = await aProgramsFolder()
  const installation = { root: process.cwd(), programs }
  vi.stubEnv('TILTH_DATA', dataFolder)
  vi.stubEnv('TILTH_BACKUP', aFolder())
  // a setting of the tests, which no command knows
  vi.stubEnv('TILTH_TEST_POSTGRES', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  return async (create: TilthCommand, ...args: string[]) => {
    const texts: string[] = []
    const print = (text: unknown) => texts.push(String(text)) > 0
    const streams = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation(print),
    )
    const before = process.exitCode
    process.exitCode = undefined
    try {
      const command: Command = create(installation)
      await command.parseAsync(args, { from: 'user' })
      return { text: texts.join(''), code: process.exitCode ?? 0 }
    } finally {
      process.exitCode = before
      for (const stream of streams) stream.mockRestore()
    }
  }
}
