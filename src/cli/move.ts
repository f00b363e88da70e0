import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import { BackupRefusedError } from '#backups/backup-refused'
import { parseEngineUrl } from '#engine/address'
import type { Config } from '#server/config'
import type { Installation } from '#server/main'
import { lockFolder, lockHolderOf } from '#server/start/lock'
import { jsonOption, runAndPrint } from './backup-parts'
import type { TilthCommand } from './command'
import type { Move } from './move-plan'
import type { MoveOutcome, RoundReport } from './move-rounds'

interface Options {
  to?: string
  store?: string
  folder?: string
  wait?: boolean
  without?: string[]
  json?: boolean
}

export const moveCommand: TilthCommand = (installation) =>
  new Command('move')
    .description('move this installation to servers of yours, or back from them, while it runs')
    .option('--to <engine>', 'clickhouse://user:password@host/database, or "embedded"; where it is otherwise')
    .option('--store <url>', 'postgres://…, or "sqlite"; where it is otherwise')
    .option('--folder <folder>', 'the new data folder; TILTH_DATA with "-moved" otherwise')
    .option('--wait', 'wait until Tilth has stopped, in place of ending before that')
    .option('--without <journals...>', 'journals of other fronts whose data folders are lost')
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nThe settings name the old form, which stays as it is. The same command goes on with a move that was cut short; ' +
        'see docs/scaling.md.',
    )
    .action((options: Options) =>
      runAndPrint(options.json, (config) => move(planOf(config, options, installation), options)),
    )

/** Two settings, as the old form and the new one have them. */
function planOf(
  config: Config,
  { to, store, folder, without = [] }: Options,
  installation: Installation,
): Move {
  const engineUrl = to === undefined ? config.engineUrl : engineUrlOf(to)
  const storeUrl = store === undefined ? config.storeUrl : storeUrlOf(store)
  const isSame = engineUrl === config.engineUrl && storeUrl === config.storeUrl
  if (isSame)
    throw new BackupRefusedError(
      'Say where to move: the events with --to clickhouse://… or --to embedded, everything else with --store postgres://… or ' +
        '--store sqlite. Both are where they would move to.',
    )
  const dataFolder = resolve(folder ?? `${config.dataFolder}-moved`)
  refuseOtherUser(config.dataFolder)
  if (dataFolder === config.dataFolder)
    throw new BackupRefusedError('Name another folder with --folder than TILTH_DATA.')
  return { old: config, next: { ...config, dataFolder, engineUrl, storeUrl }, installation, without }
}

/** An engine of another account would take over the files that the old one has linked. */
function refuseOtherUser(dataFolder: string): void {
  const { uid } = statSync(dataFolder, { throwIfNoEntry: false }) ?? {}
  if (uid === undefined)
    throw new BackupRefusedError(`${dataFolder} is not there. Name the old form with TILTH_DATA.`)
  if (process.geteuid === undefined || uid === process.geteuid()) return
  throw new BackupRefusedError(
    `${dataFolder} belongs to another user. Give this command as the user that Tilth runs as.`,
  )
}

function engineUrlOf(to: string): string | undefined {
  if (to === 'embedded') return undefined
  const url = to.replace(/^clickhouse:/, 'http:').replace(/^clickhouses:/, 'https:')
  try {
    parseEngineUrl(url)
    return url
  } catch {
    throw new BackupRefusedError(
      `--to ${to.replace(/:[^:@/]*@/, ':…@')} is no engine. Write clickhouse://user:password@host:8123/database, ` +
        'https://… for a server with TLS, or embedded.',
    )
  }
}

function storeUrlOf(store: string): string | undefined {
  if (store === 'sqlite') return undefined
  if (/^postgres(ql)?:\/\//.test(store)) return store
  throw new BackupRefusedError('--store is postgres://user:password@host/database, or sqlite.')
}

async function move(plan: Move, { wait = false }: Options) {
  const { old, next } = plan
  // late, because they load the engine and the store
  const { beginMove, bringRunning, finishMove } = await import('./move-rounds')
  const lock = lockNewFolder(next.dataFolder)
  try {
    const folder = await beginMove(plan)
    const say = (text: string) => process.stderr.write(`${text}\n`)
    for (let rounds = 1; lockHolderOf(old.dataFolder) !== undefined; rounds++) {
      const round = await bringRunning(plan, folder, say)
      if (round.isWorthAnother && rounds < mostRounds) continue
      if (!wait) return reportOfRound(plan, round)
      say(`${sentenceOfRound(round)} Stop Tilth now; this command waits for it.`)
      while (lockHolderOf(old.dataFolder) !== undefined) await pause(lookEveryMs)
    }
    const held = lockFolder(old.dataFolder)
    try {
      return reportOfMove(plan, await finishMove(plan, folder, say))
    } finally {
      held.release('stopped')
    }
  } finally {
    // a folder that was refused is left as it was
    lock.release('never-started')
  }
}

const lookEveryMs = 250
/** A site that never rests has a whole day to copy in every round. */
const mostRounds = 3

function lockNewFolder(folder: string) {
  try {
    return lockFolder(folder)
  } catch (problem) {
    if (lockHolderOf(folder) === undefined) throw problem
    throw new BackupRefusedError(`Another move, or a Tilth, works on ${folder} (${lockHolderOf(folder)}).`)
  }
}

const sentenceOfRound = ({ at, rows, tookMs }: RoundReport): string =>
  `The new form has everything up to ${at}: ${rows} rows were copied in ${Math.ceil(tookMs / 1000)} s.`

const reportOfRound = ({ next }: Move, round: RoundReport) => ({
  json: { folder: next.dataFolder, isFinished: false, ...round },
  lines: [
    sentenceOfRound(round),
    'Stop Tilth, and give the same command again: it brings the rest and finishes.',
  ],
})

const reportOfMove = ({ old, next }: Move, { rows, comparison }: MoveOutcome) => ({
  json: {
    folder: next.dataFolder,
    isFinished: true,
    rows,
    answered: comparison?.answered,
    notCompared: comparison?.notCompared,
  },
  lines: [
    'The move is done: both forms have the same rows in every month.',
    ...(comparison ? [`${comparison.answered} questions have the same answers in both.`] : []),
    ...(comparison?.notCompared ?? []),
    `Start Tilth with ${settingsOf(next)}.`,
    `The old form is as it was. To go back, start it with ${settingsOf(old)}; it has nothing of what arrives from now on.`,
  ],
})

const settingsOf = ({ dataFolder, storeUrl, engineUrl }: Config): string =>
  `TILTH_DATA=${dataFolder}, ${settingOf('TILTH_STORE', storeUrl)} and ${settingOf('TILTH_ENGINE', engineUrl)}`

const settingOf = (name: string, url: string | undefined): string =>
  url === undefined ? `without ${name}` : `${name}=${url.replace(/:[^:@/]*@/, ':…@')}`
