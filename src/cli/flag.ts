import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { type Flag, mainEnvironment } from '#flags/flag'
import type { FlagImportResult } from '#flags/flag-import'
import { percentText } from '#flags/words'
import { operator } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import type { TilthCommand } from './command'
import { commandOutput, table, withProduct } from './with-product'

export const flagCommand: TilthCommand = () =>
  new Command('flag')
    .description('list flags, turn them on and off, and take them over from PostHog')
    .addCommand(list())
    .addCommand(turn('on'))
    .addCommand(turn('off'))
    .addCommand(importing())

const commandLineViewer = operator('command line')

interface Options {
  environment: string
  json?: boolean
}

const inEnvironment = ['--environment <name>', 'where it is to be so', mainEnvironment] as const

const list = (): Command =>
  new Command('list')
    .description('list a project’s flags and how they stand in an environment')
    .argument('<project>', 'its address part or number')
    .option('--environment <name>', 'whose settings are shown', mainEnvironment)
    .option('--json', 'answer with JSON')
    .action((named: string, { environment, json }: Options) =>
      withProduct(json, async ({ projects, flags }) => {
        const all = await flags.list(projects.find(named, commandLineViewer).id, commandLineViewer)
        const rows = all.map((flag) => row(flag, environment))
        return commandOutput(all, ...table(['KEY', 'KIND', 'STATE', 'ROLLOUT', 'DESCRIPTION'], rows))
      }),
    )

function row(flag: Flag, environment: string): string[] {
  const setting = flag.environments[environment]
  const rollout = setting?.conditions.map(({ percentage }) => percentText(percentage)).join(', ') ?? ''
  return [flag.key, flag.kind, stateOf(flag, setting?.isOn ?? false), rollout, flag.description]
}

function stateOf({ archivedAt }: Flag, isOn: boolean): string {
  if (archivedAt) return 'archived'
  return isOn ? 'on' : 'off'
}

const turn = (state: 'on' | 'off'): Command =>
  new Command(state)
    .description(`turn a flag ${state}`)
    .argument('<project>', 'its address part or number')
    .argument('<key>', 'the flag’s')
    .option(...inEnvironment)
    .option('--json', 'answer with JSON')
    .action((named: string, key: string, { environment, json }: Options) =>
      withProduct(json, async ({ projects, flags }) => {
        const change = { environment, isOn: state === 'on' }
        const outcome = await flags.turn(
          projects.find(named, commandLineViewer).id,
          key,
          change,
          commandLineViewer,
        )
        return outcome.done ? commandOutput(outcome.flag, `“${key}” is ${state} in ${environment}.`) : outcome
      }),
    )

const importing = (): Command =>
  new Command('import')
    .description('take over flags from PostHog: a file with what its API answers, or "-" for standard input')
    .argument('<project>', 'its address part or number')
    .argument('<file>', 'JSON: one flag, a list of them, or {"results": […]}')
    .option(...inEnvironment)
    .option('--json', 'answer with JSON')
    .action((named: string, file: string, { environment, json }: Options) =>
      withProduct(json, async ({ projects, flags }) => {
        const project = projects.find(named, commandLineViewer)
        const read = jsonIn(file)
        if (!read.done) return read
        const outcome = await flags.importFrom(project.id, read.json, commandLineViewer, { environment })
        if (!outcome.done) return outcome
        if (outcome.refused.length > 0) process.exitCode = 1
        const { created, changed, refused } = outcome
        return commandOutput({ created, changed, refused }, ...importLines(outcome))
      }),
    )

function jsonIn(file: string) {
  try {
    const json: unknown = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
    return { done: true as const, json }
  } catch (problem) {
    const reason = problem instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    return failedOutcome(
      `${file} ${reason}. Save what PostHog’s API answers at /api/projects/<id>/feature_flags/.`,
    )
  }
}

const importLines = ({ created, changed, refused }: FlagImportResult): string[] => [
  ...created.map((key) => `made     ${key}`),
  ...changed.map((key) => `changed  ${key}`),
  ...refused.map(
    ({ key, problems }) =>
      `refused  ${key || '(no key)'}: ${problems.map(({ message }) => message).join(' ')}`,
  ),
  `${created.length} made, ${changed.length} changed, ${refused.length} refused.`,
]
