import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { roles } from '#projects/access'
import { type Invitation, newInvitation } from '#projects/invitations'
import { type Membership, roleChange } from '#projects/members'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

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

const memberBody = ({ member: { id, email, name }, role, joinedAt }: Membership) => ({
  id,
  email,
  name,
  role,
  joinedAt,
})

const invitationBody = ({ id, role, email, invitedBy, createdAt, endsAt }: Invitation) => ({
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
    responseSchema: z.object({ members: z.array(memberShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ members: (await product.projects.members.list(project().id, viewer)).map(memberBody) }),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/members/{member}',
    summary: 'Change a member’s role',
    right: 'members:write',
    input: roleChange,
    responseSchema: nothing,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.projects.members.changeRole(project().id, pathParameter('member'), input, viewer),
        () => ({}),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/members/{member}',
    summary: 'Remove a member from the project',
    right: 'members:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.projects.members.remove(project().id, pathParameter('member'), viewer),
        () => ({}),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/invitations',
    summary: 'List invitations that can still be accepted',
    right: 'members:read',
    responseSchema: z.object({ invitations: z.array(invitationShape) }),
    handle: async ({ product, viewer, project }) =>
      success({
        invitations: (await product.projects.invitations.list(project().id, viewer)).map(invitationBody),
      }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/invitations',
    summary: 'Invite a member; the link in the response is shown this once',
    right: 'members:write',
    input: newInvitation,
    responseSchema: z.object({ invitation: invitationShape, token: z.string() }),
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(
        await product.projects.invitations.create(project().id, input, viewer),
        ({ invitation, token }) => ({
          invitation: invitationBody(invitation),
          token,
        }),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/invitations/{invitation}',
    summary: 'Revoke an invitation',
    right: 'members:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.projects.invitations.revoke(project().id, pathParameter('invitation'), viewer),
        () => ({}),
      ),
  },
]
