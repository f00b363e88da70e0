import { Command } from 'commander'
import type { BanditReport } from '#experiments/bandits/bandits'
import { chanceText } from '#experiments/results/estimate-words'
import { operator } from '#projects/access'
import { commandOutput, table, withProduct } from './with-product'

const commandLineViewer = operator('command line')

interface WeightsOptions {
  json?: boolean
  pause?: boolean
  resume?: boolean
}

/** The weights of a bandit, which are in the store; only moving them needs the engine. */
export const weightsCommand = (): Command =>
  new Command('weights')
    .description('show the weights of a bandit and how they moved, pause and resume it')
    .argument('<project>', 'its URL slug or number')
    .argument('<experiment>', 'its id')
    .option('--pause', 'keep the weights as they are')
    .option('--resume', 'move them again')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { json, pause, resume }: WeightsOptions) =>
      withProduct(json, async ({ projects, experiments }) => {
        const { bandits } = experiments
        const project = projects.find(named, commandLineViewer)
        if (pause ?? resume) {
          const changed = await bandits[pause ? 'pause' : 'resume'](project.id, id, commandLineViewer)
          if (!changed.done) return changed
        }
        const outcome = await bandits.report(project.id, id, commandLineViewer)
        if (!outcome.done) return outcome
        const { progress, changes } = outcome.report
        const state = progress.state === 'paused' ? 'Paused: ' : ''
        return commandOutput(
          { ...progress, changes },
          `${state}${progress.why}`,
          ...table(['VARIANT', 'WEIGHT', 'CHANCE', 'UNITS'], armRows(outcome.report)),
          '',
          ...table(
            ['SINCE', ...progress.variants.map((key) => key.toUpperCase()), 'BY'],
            changeRows(outcome.report),
          ),
        )
      }),
    )

const armRows = ({ progress: { variants, arms }, changes }: BanditReport): string[][] =>
  variants.map((variant) => {
    const arm = arms.find((one) => one.variant === variant)
    return [
      variant,
      `${changes[0]?.weights[variant] ?? 0}%`,
      arm ? chanceText(arm.chance) : '–',
      String(arm?.units ?? 0),
    ]
  })

const changeRows = ({ progress: { variants }, changes }: BanditReport): string[][] =>
  changes.map(({ at, weights, by }) => [
    at.toISOString().slice(0, 16).replace('T', ' '),
    ...variants.map((variant) => `${weights[variant] ?? 0}%`),
    by,
  ])
