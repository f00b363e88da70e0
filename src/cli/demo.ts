import { Command, InvalidArgumentError } from 'commander'
import { realWorld } from '#world/world'
import type { DemoReport, DemoOptions } from '#demo/fill-demo'
import { showProgress } from './demo-progress'
import type { TilthCommand } from './command'
import { commandOutput, withProduct } from './with-product'

interface Options {
  project: string
  events?: number
  seed?: string
  json?: boolean
}

export const demoCommand: TilthCommand = () =>
  new Command('demo')
    .description('fill a project with 90 days of sample data')
    .option('--project <slug>', 'its URL slug', 'demo')
    .option('--events <number>', 'approximate number; 200000 otherwise', readEvents)
    .option('--seed <text>', 'another seed makes other data', readSeed)
    .option('--json', 'answer with JSON')
    .addHelpText('after', '\nTilth must be running. Run it again to add the days since.')
    .action(({ project: slug, json, ...story }: Options) =>
      withProduct(json, async (product, config) => {
        const progress = showProgress(json ? undefined : process.stderr)
        const { fillDemo } = await import('#demo/fill-demo')
        const options = { slug, story, now: realWorld.now(), onProgress: progress.show } satisfies DemoOptions
        const outcome = await fillDemo(product, config, options)
        progress.end()
        return outcome.done ? commandOutput(asJson(outcome), sentenceOf(outcome)) : outcome
      }),
    )

function readEvents(text: string): number {
  const events = /^\d{1,8}$/.test(text) ? Number(text) : 0
  if (events < 100 || events > 10_000_000)
    throw new InvalidArgumentError('Use a number from 100 to 10000000.')
  return events
}

function readSeed(text: string): string {
  if (!/^[\w.-]{1,40}$/.test(text))
    throw new InvalidArgumentError('Use up to 40 letters, digits, dots, dashes and underscores.')
  return text
}

const asJson = ({ project, events, isNew, address }: DemoReport): object => ({
  project: project.slug,
  events,
  isNew,
  address,
})

function sentenceOf({ project, events, isNew, address }: DemoReport): string {
  if (events === 0) return `${project.name} is up to date: ${address}`
  const amount = events.toLocaleString('en')
  return `${isNew ? `${project.name} is there, with ${amount} events` : `${amount} more events in ${project.name}`}: ${address}`
}
