import { Command, Option } from 'commander'
import { type Flag, mainEnvironment } from '#flags/flag'
import type { FlagImportResult } from '#flags/flag-import'
import { percentText } from '#flags/words'
import { operator } from '#projects/access'
import type { TilthCommand } from './command'
import { jsonIn } from './json-in'
import { commandOutput, table, withProduct } from './with-product'

export const flagCommand: TilthCommand = () =>
  new Command('flag')
    .description('list flags, turn them on and off, and import them from other products')
    .addCommand(list())
    .addCommand(turn('on'))
    .addCommand(turn('off'))
    .addCommand(importing())

const commandLineViewer = operator('command line')

interface Options {
  environment: string
  json?: boolean
}

const inEnvironment = ['--environment <name>', 'the environment', mainEnvironment] as const

const list = (): Command =>
  new Command('list')
    .description('list a project’s flags and their state in an environment')
    .argument('<project>', 'its URL slug or number')
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
    .argument('<project>', 'its URL slug or number')
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

const flagProducts = ['posthog', 'launchdarkly', 'unleash', 'flagsmith', 'growthbook'] as const

interface ImportOptions extends Options {
  from: (typeof flagProducts)[number]
  theirEnvironment: string
}

const importing = (): Command =>
  new Command('import')
    .description(
      'import flags: a file with the API response of PostHog or of --from, or "-" for standard input',
    )
    .argument('<project>', 'its URL slug or number')
    .argument('<file>', 'JSON: one flag, a list of them, or {"results": […]}')
    .option(...inEnvironment)
    .addOption(new Option('--from <product>', 'the product').choices(flagProducts).default('posthog'))
    .option('--their-environment <name>', 'whose settings are taken there', 'production')
    .option('--json', 'answer with JSON')
    .action((named: string, file: string, { environment, json, from, theirEnvironment }: ImportOptions) =>
      withProduct(json, async ({ projects, flags }) => {
        const project = projects.find(named, commandLineViewer)
        const read = jsonIn(file, exportAdvice)
        if (!read.done) return read
        if (from !== 'posthog') {
          const { importForeignFlags } = await import('./import-foreign-flags')
          const request = { source: from, json: read.json, environment, theirEnvironment }
          return await importForeignFlags(flags, project, request)
        }
        const outcome = await flags.importFrom(project.id, read.json, commandLineViewer, { environment })
        if (!outcome.done) return outcome
        if (outcome.refused.length > 0) process.exitCode = 1
        const { created, changed, refused, remarks } = outcome
        return commandOutput({ created, changed, refused, remarks }, ...importLines(outcome))
      }),
    )

const exportAdvice = 'Save the response of PostHog’s API at /api/projects/<id>/feature_flags/.'

const importLines = ({ created, changed, refused, remarks }: FlagImportResult): string[] => [
  ...created.map((key) => `made     ${key}`),
  ...changed.map((key) => `changed  ${key}`),
  ...refused.map(
    ({ key, problems }) =>
      `refused  ${key || '(no key)'}: ${problems.map(({ message }) => message).join(' ')}`,
  ),
  ...remarks.map(({ key, sentences }) => `note     ${key}: ${sentences.join(' ')}`),
  `${created.length} made, ${changed.length} changed, ${refused.length} refused.`,
]
