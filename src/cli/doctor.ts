import { Command } from 'commander'
import { type Config, readConfig, storeSettings } from '#server/config'
import { diagnose, type Diagnosis } from '#server/doctor'
import type { Store } from '#store/store'
import type { TilthCommand } from './command'

interface Options {
  json?: boolean
  acceptLoss?: boolean
  acceptKey?: boolean
}

export const doctorCommand: TilthCommand = (installation) =>
  new Command('doctor')
    .description('check this installation, and say how to fix problems')
    .option('--json', 'answer with one JSON object instead of lines')
    .option(
      '--accept-loss',
      'instead accept that stored events are gone, so that they are not reported any more',
    )
    .option(
      '--accept-key',
      'instead accept that the key of the store is gone, so that Tilth starts with the one of this data folder',
    )
    .addHelpText(
      'after',
      '\nThe exit code is 1 if there is a problem. Nothing is changed without --accept-loss or --accept-key.',
    )
    .action(async ({ json, acceptLoss, acceptKey: acceptsKey }: Options) => {
      if (acceptLoss) return await accept(json, acceptLostEvents)
      if (acceptsKey) return await accept(json, acceptOtherKey)
      const diagnoses = await diagnose(process.env, installation, json ? () => {} : print)
      const isWell = diagnoses.every(({ finding }) => finding.verdict !== 'wrong')
      if (json) write(JSON.stringify({ ok: isWell, checks: diagnoses.map(asJson) }, null, 2))
      else write(isWell ? '\nNo problems found.' : '\nProblems found; see above.')
      process.exitCode = isWell ? 0 : 1
    })

/** Changes the store, and returns the sentence about it. */
type Acceptance = (store: Store, config: Config) => Promise<string>

async function accept(json: boolean | undefined, change: Acceptance): Promise<void> {
  const reading = readConfig(process.env)
  if (!reading.readable) {
    write(json ? JSON.stringify({ problems: reading.problems }) : reading.problems.join('\n'))
    process.exitCode = 1
    return
  }
  // the doctor must work where the packages of a store cannot be loaded
  const { openStore } = await import('#store/open')
  const store = await openStore(storeSettings(reading.config))
  try {
    const sentence = await change(store, reading.config)
    write(json ? JSON.stringify({ accepted: true }) : sentence)
  } finally {
    await store.close()
  }
}

async function acceptLostEvents(store: Store): Promise<string> {
  const { acceptEvents } = await import('#ingest/event-months')
  await acceptEvents(store)
  return 'Accepted: the events that the engine holds now are all there are. A Tilth that runs hears of it at once.'
}

async function acceptOtherKey(store: Store, { dataFolder }: Config): Promise<string> {
  const [{ acceptKey }, { Seal }, { realWorld }] = await Promise.all([
    import('#flags/key-agreement'),
    import('#flags/seal'),
    import('#world/world'),
  ])
  const seal = new Seal({ folder: dataFolder, world: realWorld })
  await acceptKey(store, seal)
  return `Accepted: ${seal.path} is the key from now on. Enter again what the former one encrypted, and copy this one to other fronts.`
}

const verdictSymbols = { ok: '✓', wrong: '✗', skipped: '–' }

function print({ name, finding }: Diagnosis): void {
  write(`${verdictSymbols[finding.verdict]} ${name.padEnd(10)} ${finding.found}`)
  if (finding.verdict === 'wrong') write(`${' '.repeat(13)}→ ${finding.remedy}`)
}

const asJson = ({ name, finding }: Diagnosis): object => ({ name, ...finding })

const write = (text: string): void => void process.stdout.write(`${text}\n`)
