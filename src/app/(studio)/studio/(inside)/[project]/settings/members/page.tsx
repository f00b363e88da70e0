import type { Metadata } from 'next'
import { covers } from '../../../../../../../projects/access'
import { getProduct } from '../../../../../../product'
import { openProject, whyNot } from '../../../../../open-project'
import { Invitations } from './Invitations'
import { LeaveProject } from './LeaveProject'
import { MembersTable } from './MembersTable'

export const metadata: Metadata = { title: 'Members' }

export default async function MembersPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { members, invitations } = getProduct()
  const [memberships, open] = await Promise.all([
    members.list(project.id, viewer),
    invitations.list(project.id, viewer),
  ])
  const clock = { now: new Date(), timeZone: project.timeZone }
  const ground = {
    slug: project.slug,
    projectName: project.name,
    clock,
    whyNot: whyNot('members:write', role),
    mayMakeOwners: covers(role, 'owners:write'),
  }

  return (
    <>
      <MembersTable
        {...ground}
        members={memberships.map(({ member: { id, name, email }, role: theirs, joinedAt }) => ({
          id,
          name,
          email,
          role: theirs,
          joinedAt,
          isViewer: id === viewer.memberId,
        }))}
      />
      <Invitations
        {...ground}
        invitations={open.map(({ id, role: offered, email, invitedBy, createdAt, endsAt }) => ({
          id,
          role: offered,
          email,
          invitedBy,
          createdAt,
          endsAt,
        }))}
      />
      <LeaveProject slug={project.slug} projectName={project.name} />
    </>
  )
}
