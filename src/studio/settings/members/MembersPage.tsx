import type { Metadata } from 'next'
import { roleCovers } from '#projects/access'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { Panel } from '#ui/page/Panel'
import { RequireSecondFactor } from '#studio/installation/RequireSecondFactor'
import { Invitations } from './Invitations'
import { LeaveProject } from './LeaveProject'
import { MembersTable } from './MembersTable'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Members' }

interface MembersPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<{ invite?: string | string[] }>
}

export async function MembersPage({ params, searchParams }: MembersPageProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const { rules: signInRules } = getProduct().signIn
  const { members, invitations } = getProduct().projects
  const [memberships, open, { requireSecondFactor }] = await Promise.all([
    members.list(project.id, viewer),
    invitations.list(project.id, viewer),
    signInRules.ofProject(project.id, viewer),
  ])
  const clock = clockOf(project)
  const context = {
    slug: project.slug,
    projectName: project.name,
    clock,
    whyNot: whyNot('members:write', role),
    mayMakeOwners: roleCovers(role, 'owners:write'),
    isInviting: (await searchParams).invite === 'yes',
  }

  return (
    <>
      <MembersTable
        {...context}
        members={memberships.map(({ member: { id, name, email }, role: memberRole, joinedAt }) => ({
          id,
          name,
          email,
          role: memberRole,
          joinedAt,
          isViewer: id === viewer.memberId,
        }))}
      />
      <Invitations
        {...context}
        invitations={open.map(({ id, role: offered, email, invitedBy, createdAt, endsAt }) => ({
          id,
          role: offered,
          email,
          invitedBy,
          createdAt,
          endsAt,
        }))}
      />
      <Panel title="Sign-in">
        <RequireSecondFactor
          slug={project.slug}
          isRequired={requireSecondFactor}
          whyNot={whyNot('members:write', role)}
        />
      </Panel>
      <LeaveProject slug={project.slug} projectName={project.name} />
    </>
  )
}
