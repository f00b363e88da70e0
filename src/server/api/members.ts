import { z } from 'zod'
import { roles } from '../../projects/access'
import { type Invitation, newInvitation } from '../../projects/invitations'
import { type Membership, roleChange } from '../../projects/members'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

const memberShape = z
  .object({ id: z.string(), email: z.string(), name: z.string(), role: z.enum(roles), joinedAt: instant })
  .meta({ id: 'Member' })

const invitationShape = z
  .object({
    id: z.string(),
    role: z.enum(roles),
    email: z.string().optional(),
    invitedBy: z.string(),
    createdAt: instant,
    endsAt: instant,
  })
  .meta({ id: 'Invitation' })

const shownMember = ({ member: { id, email, name }, role, joinedAt }: Membership) => ({
  id,
  email,
  name,
  role,
  joinedAt,
})

const shownInvitation = ({ id, role, email, invitedBy, createdAt, endsAt }: Invitation) => ({
  id,
  role,
  email,
  invitedBy,
  createdAt,
  endsAt,
})

export const memberEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/members',
    summary: 'List who belongs to the project',
    right: 'members:read',
    answers: z.object({ members: z.array(memberShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ members: (await product.members.list(project().id, viewer)).map(shownMember) }),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/members/{member}',
    summary: 'Change a member’s role',
    right: 'members:write',
    input: roleChange,
    answers: nothing,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.members.changeRole(project().id, part('member'), input, viewer), () => ({})),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/members/{member}',
    summary: 'Take a member out of the project',
    right: 'members:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.members.remove(project().id, part('member'), viewer), () => ({})),
  },
  {
    method: 'GET',
    path: '/projects/{project}/invitations',
    summary: 'List invitations that can still be accepted',
    right: 'members:read',
    answers: z.object({ invitations: z.array(invitationShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ invitations: (await product.invitations.list(project().id, viewer)).map(shownInvitation) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/invitations',
    summary: 'Invite somebody; the answer’s link is shown this once',
    right: 'members:write',
    input: newInvitation,
    answers: z.object({ invitation: invitationShape, token: z.string() }),
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.invitations.create(project().id, input, viewer), ({ invitation, token }) => ({
        invitation: shownInvitation(invitation),
        token,
      })),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/invitations/{invitation}',
    summary: 'Take an invitation back',
    right: 'members:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.invitations.revoke(project().id, part('invitation'), viewer), () => ({})),
  },
]
