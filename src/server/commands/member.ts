import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { operator } from '../../projects/access'
import { readConfig } from '../config'
import type { TilthCommand } from './command'
import { answered, table, withProduct } from './with-product'

export const memberCommand: TilthCommand = () =>
  new Command('member')
    .description('list members, invite them, change their roles and passwords')
    .addCommand(list())
    .addCommand(invite())
    .addCommand(role())
    .addCommand(remove())
    .addCommand(password())

const you = operator('command line')

const list = (): Command =>
  new Command('list')
    .description('list who belongs to a project')
    .argument('<project>', 'its address part or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ projects, members }) => {
        const all = await members.list(projects.find(named, you).id, you)
        const rows = all.map(({ member, role: has }) => [member.email, member.name, has])
        return answered(
          all.map(({ member, role: has }) => ({ ...member, role: has })),
          ...table(['E-MAIL', 'NAME', 'ROLE'], rows),
        )
      }),
    )

const invite = (): Command =>
  new Command('invite')
    .description('make a link that lets one person in')
    .argument('<project>', 'its address part or number')
    .option('--role <role>', 'owner, admin, editor or viewer', 'viewer')
    .option('--email <address>', 'then only this address can use it')
    .option('--json', 'answer with JSON')
    .action((named: string, { json, ...input }: { json?: boolean; role: string; email?: string }) =>
      withProduct(json, async ({ projects, invitations }) => {
        const outcome = await invitations.create(projects.find(named, you).id, input, you)
        if (!outcome.done) return outcome
        const link = invitationLink(outcome.token)
        return answered(
          { link, invitation: outcome.invitation },
          'Send this link; it works once, for a week:',
          link,
        )
      }),
    )

/** The token stands behind "#", which browsers send to nobody. */
function invitationLink(token: string): string {
  const reading = readConfig(process.env)
  const [address] = reading.readable ? reading.config.addresses : []
  return new URL(`/studio/join#${token}`, address ?? 'http://localhost:3000').href
}

const role = (): Command =>
  new Command('role')
    .description('change a member’s role')
    .argument('<project>', 'its address part or number')
    .argument('<email>', 'whose')
    .argument('<role>', 'owner, admin, editor or viewer')
    .option('--json', 'answer with JSON')
    .action((named: string, email: string, wanted: string, { json }: { json?: boolean }) =>
      withProduct(json, async (product) => {
        const projectId = product.projects.find(named, you).id
        const memberId = await memberWith(email, projectId, product.members)
        const outcome = await product.members.changeRole(projectId, memberId, { role: wanted }, you)
        return outcome.done ? answered({ email, role: wanted }, `${email} is now ${wanted}.`) : outcome
      }),
    )

const remove = (): Command =>
  new Command('remove')
    .description('take a member out of a project')
    .argument('<project>', 'its address part or number')
    .argument('<email>', 'whom')
    .option('--json', 'answer with JSON')
    .action((named: string, email: string, { json }: { json?: boolean }) =>
      withProduct(json, async (product) => {
        const projectId = product.projects.find(named, you).id
        const memberId = await memberWith(email, projectId, product.members)
        const outcome = await product.members.remove(projectId, memberId, you)
        return outcome.done ? answered({ email }, `${email} no longer belongs to ${named}.`) : outcome
      }),
    )

const password = (): Command =>
  new Command('password')
    .description(
      'set a new password for a member who cannot get in; it is read from the terminal or from standard input',
    )
    .argument('<email>', 'whose')
    .option('--json', 'answer with JSON')
    .action(async (email: string, { json }: { json?: boolean }) => {
      const chosen = await asked(`New password for ${email}: `)
      await withProduct(json, async ({ members }) => {
        const outcome = await members.resetPassword(email, { password: chosen }, you)
        return outcome.done ? answered({ email }, 'Done. Every session of theirs has ended.') : outcome
      })
    })

/** Never an argument: those can be read by everybody on the machine, and stay in the shell's history. */
async function asked(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  if (process.stdin.isTTY) process.stderr.write(question)
  for await (const line of terminal) return line
  return ''
}

async function memberWith(
  email: string,
  projectId: number,
  members: {
    list(projectId: number, viewer: typeof you): Promise<{ member: { id: string; email: string } }[]>
  },
): Promise<string> {
  const all = await members.list(projectId, you)
  return all.find(({ member }) => member.email === email.trim().toLowerCase())?.member.id ?? ''
}
