import { Command } from 'commander'
import { diagnose, type Diagnosis } from '../doctor'
import type { TilthCommand } from './command'

export const doctorCommand: TilthCommand = (installation) =>
  new Command('doctor')
    .description('look for what is wrong here, and say how to mend it')
    .option('--json', 'answer with one JSON object instead of lines')
    .addHelpText('after', '\nThe exit code is 1 when something is wrong. Nothing is changed.')
    .action(async ({ json }: { json?: boolean }) => {
      const diagnoses = await diagnose(process.env, installation, json ? () => {} : print)
      const isWell = diagnoses.every(({ finding }) => finding.verdict !== 'wrong')
      if (json) write(JSON.stringify({ ok: isWell, checks: diagnoses.map(asJson) }, null, 2))
      else write(isWell ? '\nAll is well.' : '\nSomething is wrong; see above.')
      process.exitCode = isWell ? 0 : 1
    })

const marks = { ok: '✓', wrong: '✗', skipped: '–' }

function print({ name, finding }: Diagnosis): void {
  write(`${marks[finding.verdict]} ${name.padEnd(10)} ${finding.found}`)
  if (finding.verdict === 'wrong') write(`${' '.repeat(13)}→ ${finding.remedy}`)
}

const asJson = ({ name, finding }: Diagnosis): object => ({ name, ...finding })

const write = (text: string): void => void process.stdout.write(`${text}\n`)
