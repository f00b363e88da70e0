import { Command } from 'commander'
import { operator, scopes } from '#projects/access'
import type { SecretKey } from '#projects/keys'
import type { TilthCommand } from './command'
import { commandOutput, table, withProduct } from './with-product'

export const keyCommand: TilthCommand = () =>
  new Command('key')
    .description('list, create and revoke the secret keys of a project')
    .addCommand(list())
    .addCommand(create())
    .addCommand(revoke())

const commandLineViewer = operator('command line')

const list = (): Command =>
  new Command('list')
    .description('list a project’s secret keys, never their text')
    .argument('<project>', 'its URL slug or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ projects }) => {
        const { keys } = projects
        const all = await keys.list(projects.find(named, commandLineViewer).id, commandLineViewer)
        return commandOutput(all, ...table(['ID', 'NAME', 'ENDS IN', 'LAST USED', 'STATE'], all.map(row)))
      }),
    )

const row = ({ id, name, lastFour, usedAt, revokedAt }: SecretKey): string[] => [
  id,
  name,
  lastFour,
  usedAt?.toISOString() ?? 'never',
  revokedAt ? 'revoked' : 'works',
]

const create = (): Command =>
  new Command('create')
    .description('create a secret key and print its text, this once')
    .argument('<project>', 'its URL slug or number')
    .argument('<name>', 'its name')
    .option('--scopes <scopes>', `with commas between: ${scopes.join(', ')}; or "every"`, 'every')
    .option('--days <days>', 'until it stops working; never otherwise')
    .option('--json', 'answer with JSON')
    .action((named: string, name: string, options: { json?: boolean; scopes: string; days?: string }) =>
      withProduct(options.json, async ({ projects }) => {
        const { keys } = projects
        const wanted =
          options.scopes === 'every' ? 'every' : options.scopes.split(',').map((scope) => scope.trim())
        const input = { name, scopes: wanted, days: options.days }
        const outcome = await keys.create(
          projects.find(named, commandLineViewer).id,
          input,
          commandLineViewer,
        )
        return outcome.done ? commandOutput({ key: outcome.key, text: outcome.text }, outcome.text) : outcome
      }),
    )

const revoke = (): Command =>
  new Command('revoke')
    .description('revoke a secret key permanently')
    .argument('<project>', 'its URL slug or number')
    .argument('<id>', 'as the list shows it')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ projects }) => {
        const { keys } = projects
        const outcome = await keys.revoke(projects.find(named, commandLineViewer).id, id, commandLineViewer)
        return outcome.done ? commandOutput({ id }, 'Revoked.') : outcome
      }),
    )
