import { Command } from 'commander'
import { operator } from '#projects/access'
import type { Project } from '#projects/project'
import type { TilthCommand } from './command'
import { commandOutput, table, withProduct } from './with-product'

export const projectCommand: TilthCommand = () =>
  new Command('project')
    .description('list, create and change projects')
    .addCommand(list())
    .addCommand(create())
    .addCommand(change())
    .addCommand(archive())
    .addCommand(restore())

const commandLineViewer = operator('command line')

const list = (): Command =>
  new Command('list')
    .description('list every project')
    .option('--json', 'answer with JSON')
    .action(({ json }: { json?: boolean }) =>
      withProduct(json, async ({ projects }) => {
        const all = projects.list(commandLineViewer)
        return commandOutput(all, ...table(['PROJECT', 'NAME', 'TIME ZONE', 'WRITE KEY'], all.map(row)))
      }),
    )

const row = ({ slug, name, timeZone, writeKey, archivedAt }: Project): string[] => [
  slug,
  archivedAt ? `${name} (archived)` : name,
  timeZone,
  writeKey,
]

const create = (): Command =>
  new Command('create')
    .description('create a project')
    .argument('<name>', 'its name')
    .option('--slug <slug>', 'its URL slug; made from the name otherwise')
    .option('--time-zone <zone>', 'its time zone', 'UTC')
    .option('--json', 'answer with JSON')
    .action((name: string, { json, ...options }: { json?: boolean; slug?: string; timeZone: string }) =>
      withProduct(json, async ({ projects }) => {
        const outcome = await projects.create({ name, ...options }, commandLineViewer)
        if (!outcome.done) return outcome
        return commandOutput(
          outcome.project,
          `Created ${outcome.project.slug}. Its write key is ${outcome.project.writeKey}`,
        )
      }),
    )

const change = (): Command =>
  new Command('change')
    .description('change a project’s name, URL slug or time zone')
    .argument('<project>', 'its URL slug or number')
    .option('--name <name>')
    .option('--slug <slug>')
    .option('--time-zone <zone>')
    .option('--json', 'answer with JSON')
    .action(
      (
        named: string,
        { json, ...changes }: { json?: boolean; name?: string; slug?: string; timeZone?: string },
      ) =>
        withProduct(json, async ({ projects }) => {
          const outcome = await projects.change(
            projects.find(named, commandLineViewer).id,
            changes,
            commandLineViewer,
          )
          return outcome.done ? commandOutput(outcome.project, `Changed ${outcome.project.slug}.`) : outcome
        }),
    )

const archive = (): Command =>
  new Command('archive')
    .description('archive a project: it accepts no events; nothing is deleted')
    .argument('<project>', 'its URL slug or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ projects }) => {
        const outcome = await projects.archive(projects.find(named, commandLineViewer).id, commandLineViewer)
        if (!outcome.done) return outcome
        const { slug } = outcome.project
        return commandOutput(
          outcome.project,
          `Archived ${slug}. "tilth project restore ${slug}" restores it.`,
        )
      }),
    )

const restore = (): Command =>
  new Command('restore')
    .description('restore an archived project')
    .argument('<project>', 'its URL slug or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ projects }) => {
        const outcome = await projects.restore(projects.find(named, commandLineViewer).id, commandLineViewer)
        return outcome.done ? commandOutput(outcome.project, `${outcome.project.slug} restored.`) : outcome
      }),
    )
