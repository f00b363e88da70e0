import { Command } from 'commander'
import { type Experiment, statusOf } from '#experiments/experiment'
import { metricRows } from '#experiments/results/metric-rows'
import { operator } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import { readConfig } from '#server/config'
import type { Product } from '#server/product'
import type { TilthCommand } from './command'
import { type ShownResult, resultsOfRunning } from './experiment-results'
import { weightsCommand } from './experiment-weights'
import { commandOutput, table, withProduct } from './with-product'

export const experimentCommand: TilthCommand = () =>
  new Command('experiment')
    .description('list experiments, show what is known of one, start, end, ship and reopen them')
    .addCommand(list())
    .addCommand(show())
    .addCommand(start())
    .addCommand(end())
    .addCommand(ship())
    .addCommand(takeBack())
    .addCommand(reopen())
    .addCommand(weightsCommand())

const commandLineViewer = operator('command line')

interface Options {
  json?: boolean
}

const missing = failedOutcome(
  'There is no such experiment in this project. See: tilth experiment list <project>',
)

const dayOf = (at: Date | undefined): string => at?.toISOString().slice(0, 10) ?? '–'

const list = (): Command =>
  new Command('list')
    .description('list a project’s experiments')
    .argument('<project>', 'its URL slug or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: Options) =>
      withProduct(json, async ({ projects, experiments }) => {
        const all = await experiments.list(projects.find(named, commandLineViewer).id, commandLineViewer)
        const rows = all.map((experiment) => [
          experiment.id,
          statusOf(experiment),
          experiment.flag,
          dayOf(experiment.startedAt),
          dayOf(experiment.endedAt),
          experiment.name,
        ])
        return commandOutput(
          all.map(withStatus),
          ...table(['ID', 'STATUS', 'FLAG', 'STARTED', 'ENDED', 'NAME'], rows),
        )
      }),
    )

const withStatus = (experiment: Experiment) => ({ ...experiment, status: statusOf(experiment) })

const show = (): Command =>
  new Command('show')
    .description(
      'show the verdict on an experiment and its metrics; Tilth must be running once it has started',
    )
    .argument('<project>', 'its URL slug or number')
    .argument('<experiment>', 'its id')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { json }: Options) =>
      withProduct(json, async (product) => {
        const project = product.projects.find(named, commandLineViewer)
        const experiment = await product.experiments.find(project.id, id, commandLineViewer)
        if (!experiment) return missing
        const outcome = await resultOf(product, project.id, experiment)
        if (!outcome.done) return outcome
        const { result } = outcome
        const heading = `${experiment.name} (${statusOf(experiment)}, flag ${experiment.flag})`
        const rows = metricRows(result)
        const lines =
          rows.length === 0 ? [] : table(['METRIC', 'VARIANT', 'VALUE', 'EFFECT', 'READING'], rows)
        return commandOutput(
          { experiment: withStatus(experiment), ...result },
          heading,
          result.sentence,
          ...lines,
        )
      }),
    )

/** A draft has nothing to count, and needs no engine. */
async function resultOf(
  product: Product,
  projectId: number,
  experiment: Experiment,
): Promise<Outcome<{ result: ShownResult }>> {
  if (!experiment.startedAt)
    return await product.experiments.results.result(projectId, experiment.id, commandLineViewer)
  const reading = readConfig(process.env)
  if (!reading.readable) return failedOutcome(reading.problems.join(' '))
  const project = product.projects.find(String(projectId), commandLineViewer)
  return await resultsOfRunning(product, reading.config, { project, experiment: experiment.id })
}

const start = (): Command =>
  changing('start', 'start an experiment now').action((named: string, id: string, { json }: Options) =>
    withProduct(json, (product) =>
      changed(product, named, 'has started.', (projectId) =>
        product.experiments.start(projectId, id, {}, commandLineViewer),
      ),
    ),
  )

interface NoteOptions extends Options {
  note?: string
}

interface EndOptions extends NoteOptions {
  undecided?: boolean
  at?: string
}

const end = (): Command =>
  changing('end', 'end an experiment without a winner; its flag stays as it is')
    .option('--undecided', 'because nothing could be decided')
    .option('--at <instant>', 'count exposures until then, as 2026-03-06T17:00:00Z')
    .option('--note <text>', 'what was learned')
    .action((named: string, id: string, { json, note, undecided, at }: EndOptions) =>
      withProduct(json, (product) =>
        changed(product, named, 'has ended.', (projectId) =>
          product.experiments.end(
            projectId,
            id,
            {
              outcome: undecided ? 'undecided' : 'stopped',
              ...(note !== undefined && { note }),
              ...(at !== undefined && { at }),
            },
            commandLineViewer,
          ),
        ),
      ),
    )

const ship = (): Command =>
  changing('ship', 'give one variant to everyone, and end the experiment')
    .argument('<variant>', 'the key of the variant')
    .option('--note <text>', 'what was learned')
    .action((named: string, id: string, variant: string, { json, note }: NoteOptions) =>
      withProduct(json, (product) =>
        changed(product, named, `has ended: everyone gets “${variant}”.`, (projectId) =>
          product.experiments.ship(
            projectId,
            id,
            { variant, ...(note !== undefined && { note }) },
            commandLineViewer,
          ),
        ),
      ),
    )

const takeBack = (): Command =>
  changing('take-back', 'make the flag what it was before a variant was shipped, and go on').action(
    (named: string, id: string, { json }: Options) =>
      withProduct(json, (product) =>
        changed(product, named, 'is running again, with the flag from before.', (projectId) =>
          product.experiments.takeBack(projectId, id, commandLineViewer),
        ),
      ),
  )

const reopen = (): Command =>
  changing('reopen', 'let an ended experiment run on; its flag stays as it is').action(
    (named: string, id: string, { json }: Options) =>
      withProduct(json, (product) =>
        changed(product, named, 'is running again.', (projectId) =>
          product.experiments.reopen(projectId, id, commandLineViewer),
        ),
      ),
  )

const changing = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .argument('<project>', 'its URL slug or number')
    .argument('<experiment>', 'its id')
    .option('--json', 'answer with JSON')

async function changed(
  { projects }: Product,
  named: string,
  words: string,
  change: (projectId: number) => Promise<Outcome<{ experiment: Experiment }>>,
) {
  const outcome = await change(projects.find(named, commandLineViewer).id)
  if (!outcome.done) return outcome
  const { experiment } = outcome
  return commandOutput(withStatus(experiment), `“${experiment.name}” ${words}`)
}
