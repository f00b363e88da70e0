import { Command } from 'commander'
import { csvOf } from '#insights/csv'
import { operator } from '#projects/access'
import { linkStateOf, type SurveyLink } from '#surveys/links/survey-link'
import { commandOutput, table, withProduct } from './with-product'

export const surveyLinksCommand = (): Command =>
  new Command('links')
    .description('list, create and revoke personal links of a survey')
    .addCommand(list())
    .addCommand(create())
    .addCommand(revoke())

const commandLineViewer = operator('command line')

interface Options {
  json?: boolean
}

const of = (name: string): Command =>
  new Command(name)
    .argument('<project>', 'its URL slug or number')
    .argument('<survey>', 'its id')
    .option('--json', 'answer with JSON')

const list = (): Command =>
  of('list')
    .description('list links with their states')
    .action((named: string, id: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const { links: surveyLinks } = surveys
        const project = projects.find(named, commandLineViewer)
        const links = await surveyLinks.list(project.id, id, commandLineViewer)
        const rows = links.map((link) => [
          link.id,
          linkStateOf(link, new Date()),
          link.answeredAt?.toISOString() ?? '',
          recipientOf(link),
        ])
        return commandOutput(links, ...table(['ID', 'STATE', 'ANSWERED', 'RECIPIENT'], rows))
      }),
    )

const recipientOf = ({ label, email, distinctId }: SurveyLink): string =>
  [label, email, distinctId].filter(Boolean).join(', ')

const create = (): Command =>
  of('create')
    .description('create links and write their URLs as CSV; they are shown only once')
    .option('--count <number>', 'how many', '1')
    .option('--expires <time>', 'when they end, as in 2026-12-24T12:00:00Z')
    .action((named: string, id: string, { json, count, expires }: Options & CreateOptions) =>
      withProduct(json, async ({ projects, surveys }) => {
        const { links: surveyLinks } = surveys
        const project = projects.find(named, commandLineViewer)
        const input = { count: Number(count), ...(expires !== undefined && { expiresAt: expires }) }
        const outcome = await surveyLinks.create(project.id, id, input, commandLineViewer)
        if (!outcome.done) return outcome
        const { links } = outcome
        const columns = [
          { name: 'id', as: 'text' as const },
          { name: 'address', as: 'text' as const },
        ]
        const file = csvOf({ columns, rows: links.map((link) => [link.id, link.address]) })
        return commandOutput(links, file.trimEnd())
      }),
    )

interface CreateOptions {
  count: string
  expires?: string
}

const revoke = (): Command =>
  new Command('revoke')
    .description('revoke a link that was not answered')
    .argument('<project>', 'its URL slug or number')
    .argument('<survey>', 'its id')
    .argument('<link>', 'its id')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, link: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const { links: surveyLinks } = surveys
        const project = projects.find(named, commandLineViewer)
        const outcome = await surveyLinks.revoke(project.id, id, link, commandLineViewer)
        return outcome.done ? commandOutput({ revoked: link }, 'The link is revoked.') : outcome
      }),
    )
