import { Command } from 'commander'
import { readConfig, storeSettings } from '#server/config'
import { diagnose, type Diagnosis } from '#server/doctor'
import type { TilthCommand } from './command'

export const doctorCommand: TilthCommand = (installation) =>
  new Command('doctor')
    .description('check this installation, and say how to fix problems')
    .option('--json', 'answer with one JSON object instead of lines')
    .option(
      '--accept-loss',
      'instead accept that stored events are gone, so that they are not reported any more',
    )
    .addHelpText(
      'after',
      '\nThe exit code is 1 if there is a problem. Nothing is changed without --accept-loss.',
    )
    .action(async ({ json, acceptLoss }: { json?: boolean; acceptLoss?: boolean }) => {
      if (acceptLoss) return await accept(json)
      const diagnoses = await diagnose(process.env, installation, json ? () => {} : print)
      const isWell = diagnoses.every(({ finding }) => finding.verdict !== 'wrong')
      if (json) write(JSON.stringify({ ok: isWell, checks: diagnoses.map(asJson) }, null, 2))
      else write(isWell ? '\nNo problems found.' : '\nProblems found; see above.')
      process.exitCode = isWell ? 0 : 1
    })

async function accept(json: boolean | undefined): Promise<void> {
  const reading = readConfig(process.env)
  if (!reading.readable) {
    write(json ? JSON.stringify({ problems: reading.problems }) : reading.problems.join('\n'))
    process.exitCode = 1
    return
  }
  // the doctor must work where the packages of a store cannot be loaded
  const [{ openStore }, { acceptEvents }] = await Promise.all([
    import('#store/open'),
    import('#ingest/event-months'),
  ])
  const store = await openStore(storeSettings(reading.config))
  try {
    await acceptEvents(store)
  } finally {
    await store.close()
  }
  write(json ? JSON.stringify({ accepted: true }) : accepted)
}

const accepted =
  'Accepted: the events that the engine holds now are all there are. A Tilth that runs hears of it at once.'

const verdictSymbols = { ok: '✓', wrong: '✗', skipped: '–' }

function print({ name, finding }: Diagnosis): void {
  write(`${verdictSymbols[finding.verdict]} ${name.padEnd(10)} ${finding.found}`)
  if (finding.verdict === 'wrong') write(`${' '.repeat(13)}→ ${finding.remedy}`)
}

const asJson = ({ name, finding }: Diagnosis): object => ({ name, ...finding })

const write = (text: string): void => void process.stdout.write(`${text}\n`)
