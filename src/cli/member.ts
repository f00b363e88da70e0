import { Command } from 'commander'
import { operator } from '#projects/access'
import { readConfig } from '#server/config'
import type { TilthCommand } from './command'
import { promptFor } from './prompt'
import { commandOutput, table, withProduct } from './with-product'

export const memberCommand: TilthCommand = () =>
  new Command('member')
    .description('list members, invite them, change their roles, passwords, sessions and second factors')
    .addCommand(list())
    .addCommand(invite())
    .addCommand(role())
    .addCommand(remove())
    .addCommand(password())
    .addCommand(resetLink())
    .addCommand(sessions())
    .addCommand(endSessions())
    .addCommand(removeFactors())

const commandLineViewer = operator('command line')

const list = (): Command =>
  new Command('list')
    .description('list who belongs to a project')
    .argument('<project>', 'its URL slug or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ projects }) => {
        const { members } = projects
        const all = await members.list(projects.find(named, commandLineViewer).id, commandLineViewer)
        const rows = all.map(({ member, role: has }) => [member.email, member.name, has])
        return commandOutput(
          all.map(({ member, role: has }) => ({ ...member, role: has })),
          ...table(['E-MAIL', 'NAME', 'ROLE'], rows),
        )
      }),
    )

const invite = (): Command =>
  new Command('invite')
    .description('create an invitation link for one person')
    .argument('<project>', 'its URL slug or number')
    .option('--role <role>', 'owner, admin, editor or viewer', 'viewer')
    .option('--email <address>', 'only this address can use it')
    .option('--json', 'answer with JSON')
    .action((named: string, { json, ...input }: { json?: boolean; role: string; email?: string }) =>
      withProduct(json, async ({ projects }) => {
        const { invitations } = projects
        const outcome = await invitations.create(
          projects.find(named, commandLineViewer).id,
          input,
          commandLineViewer,
        )
        if (!outcome.done) return outcome
        const link = invitationLink(outcome.token)
        return commandOutput(
          { link, invitation: outcome.invitation },
          'Send this link; it works once, for a week:',
          link,
        )
      }),
    )

const invitationLink = (token: string): string => linkTo('/studio/join', token)

/** The token stands behind "#", which browsers do not send to servers. */
function linkTo(path: string, token: string): string {
  const reading = readConfig(process.env)
  const [address] = reading.readable ? reading.config.addresses : []
  return new URL(`${path}#${token}`, address ?? 'http://localhost:3000').href
}

const role = (): Command =>
  new Command('role')
    .description('change a member’s role')
    .argument('<project>', 'its URL slug or number')
    .argument('<email>', 'the member’s e-mail address')
    .argument('<role>', 'owner, admin, editor or viewer')
    .option('--json', 'answer with JSON')
    .action((named: string, email: string, newRole: string, { json }: { json?: boolean }) =>
      withProduct(json, async (product) => {
        const projectId = product.projects.find(named, commandLineViewer).id
        const memberId = await memberWith(email, projectId, product.projects.members)
        const outcome = await product.projects.members.changeRole(
          projectId,
          memberId,
          { role: newRole },
          commandLineViewer,
        )
        return outcome.done ? commandOutput({ email, role: newRole }, `${email} is now ${newRole}.`) : outcome
      }),
    )

const remove = (): Command =>
  new Command('remove')
    .description('remove a member from a project')
    .argument('<project>', 'its URL slug or number')
    .argument('<email>', 'the member’s e-mail address')
    .option('--json', 'answer with JSON')
    .action((named: string, email: string, { json }: { json?: boolean }) =>
      withProduct(json, async (product) => {
        const projectId = product.projects.find(named, commandLineViewer).id
        const memberId = await memberWith(email, projectId, product.projects.members)
        const outcome = await product.projects.members.remove(projectId, memberId, commandLineViewer)
        return outcome.done ? commandOutput({ email }, `${email} no longer belongs to ${named}.`) : outcome
      }),
    )

const password = (): Command =>
  new Command('password')
    .description('set a new password for a member; it is read from the terminal or from standard input')
    .argument('<email>', 'the member’s e-mail address')
    .option('--json', 'answer with JSON')
    .action(async (email: string, { json }: { json?: boolean }) => {
      const chosen = await promptFor(`New password for ${email}: `)
      await withProduct(json, async ({ projects }) => {
        const { members } = projects
        const outcome = await members.resetPassword(email, { password: chosen }, commandLineViewer)
        return outcome.done ? commandOutput({ email }, 'Done. All their sessions have ended.') : outcome
      })
    })

const resetLink = (): Command =>
  new Command('reset-link')
    .description('create a link to set a new password; two-factor authentication still applies')
    .argument('<email>', 'the member’s e-mail address')
    .option('--json', 'answer with JSON')
    .action((email: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ signIn }) => {
        const { passwordResets } = signIn
        const outcome = await passwordResets.makeLink(email, commandLineViewer)
        if (!outcome.done) return outcome
        const link = linkTo('/studio/reset', outcome.token)
        return commandOutput({ link }, 'Send this link; it works once, for 30 minutes:', link)
      }),
    )

const sessions = (): Command =>
  new Command('sessions')
    .description('list where a member is signed in')
    .argument('<email>', 'the member’s e-mail address')
    .option('--json', 'answer with JSON')
    .action((email: string, { json }: { json?: boolean }) =>
      withProduct(json, async (product) => {
        const outcome = await product.signIn.sessions.listOf(email, commandLineViewer)
        if (!outcome.done) return outcome
        const shown = outcome.sessions.map(({ memberId: _, ...session }) => session)
        const rows = shown.map(({ id, client, address, seenAt }) => [
          id,
          client,
          address,
          seenAt.toISOString(),
        ])
        return commandOutput(shown, ...table(['ID', 'BROWSER', 'NETWORK', 'LAST SEEN'], rows))
      }),
    )

const endSessions = (): Command =>
  new Command('end-sessions')
    .description('sign a member out of all sessions, or of one')
    .argument('<email>', 'the member’s e-mail address')
    .option('--session <id>', 'only this one')
    .option('--json', 'answer with JSON')
    .action((email: string, { json, session }: { json?: boolean; session?: string }) =>
      withProduct(json, async (product) => {
        const outcome = await product.signIn.sessions.endOf(email, session, commandLineViewer)
        return outcome.done ? commandOutput({ email }, 'Done.') : outcome
      }),
    )

const removeFactors = (): Command =>
  new Command('remove-factors')
    .description('remove the authenticator app, passkeys and recovery codes of a member who has lost them')
    .argument('<email>', 'the member’s e-mail address')
    .option('--json', 'answer with JSON')
    .action((email: string, { json }: { json?: boolean }) =>
      withProduct(json, async ({ signIn }) => {
        const { secondFactors } = signIn
        const outcome = await secondFactors.reset(email, commandLineViewer)
        return outcome.done ? commandOutput({ email }, 'Done. All their sessions have ended.') : outcome
      }),
    )

async function memberWith(
  email: string,
  projectId: number,
  members: {
    list(
      projectId: number,
      viewer: typeof commandLineViewer,
    ): Promise<{ member: { id: string; email: string } }[]>
  },
): Promise<string> {
  const all = await members.list(projectId, commandLineViewer)
  return all.find(({ member }) => member.email === email.trim().toLowerCase())?.member.id ?? ''
}
