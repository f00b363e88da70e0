import { AccessRefusedError } from '#projects/access'
import type { Outcome, FailedOutcome } from '#projects/problems'
import { type Config, readConfig, storeSettings } from '#server/config'
import type { Product } from '#server/product'

interface CommandOutput {
  /** The output for programs, printed with --json. */
  json: unknown
  /** The output for people; empty where the command has written it already. */
  lines: readonly string[]
}

/**
 * Opens the product on this machine's data folder, whether or not Tilth is running on it, lets the command do its work,
 * and prints what came of it.
 */
export async function withProduct(
  asJson: boolean | undefined,
  work: (product: Product, config: Config) => Promise<Outcome<CommandOutput>>,
): Promise<void> {
  const reading = readConfig(process.env)
  if (!reading.readable) return printProblems(reading.problems, asJson)
  // only now: without its native packages it cannot be loaded, and then `tilth doctor` must still be there to say so
  const { openProduct } = await import('#server/product')
  const { config } = reading
  const addresses = config.addresses.map(({ origin }) => origin)
  const store = storeSettings(config)
  const keyProblems = await keyProblemsOf(config)
  if (keyProblems.length > 0) return printProblems(keyProblems, asJson)
  const product = await openProduct({
    store,
    outbound: { allow: undefined, canMail: false, addresses },
  })
  try {
    const outcome = await work(product, config)
    if (outcome.done) print(outcome, asJson)
    else printProblems(messagesOf(outcome), asJson)
  } catch (problem) {
    if (!(problem instanceof AccessRefusedError)) throw problem
    printProblems([problem.message], asJson)
  } finally {
    await product.close()
  }
}

/** A command with another key would store secrets that no front can open. */
async function keyProblemsOf(config: Config): Promise<string[]> {
  const [{ openStore }, { agreeOnKey }, { Seal }, { realWorld }] = await Promise.all([
    import('#store/open'),
    import('#flags/key-agreement'),
    import('#flags/seal'),
    import('#world/world'),
  ])
  const store = await openStore(storeSettings(config))
  try {
    const agreement = await agreeOnKey(store, new Seal({ folder: config.dataFolder, world: realWorld }))
    return agreement.agrees ? [] : [`${agreement.trouble} ${agreement.remedy}`]
  } finally {
    await store.close()
  }
}

export const commandOutput = (json: unknown, ...lines: string[]): Outcome<CommandOutput> => ({
  done: true,
  json,
  lines,
})

/** Columns as wide as what is in them. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)))
  return [heads, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function print({ json, lines }: CommandOutput, asJson: boolean | undefined): void {
  if (!asJson && lines.length === 0) return
  process.stdout.write(`${asJson ? JSON.stringify(json, null, 2) : lines.join('\n')}\n`)
}

function printProblems(problems: readonly string[], asJson: boolean | undefined): void {
  process.stderr.write(`${asJson ? JSON.stringify({ problems }) : problems.join('\n')}\n`)
  process.exitCode = 1
}

const messagesOf = ({ problems }: FailedOutcome): string[] => problems.map(({ message }) => message)
