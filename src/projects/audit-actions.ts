/** Everything that is written down, and how the log says it: "Ana ‹label› ‹subject›". */
export const auditActions = {
  'project.create': 'created the project',
  'project.change': 'changed the project',
  'project.archive': 'archived the project',
  'project.restore': 'brought back the project',
  'write-key.renew': 'renewed the write key of',
  'member.join': 'joined as',
  'member.role': 'changed the role of',
  'member.remove': 'removed',
  'member.change': 'changed the account of',
  'member.password': 'changed the password of',
  'invitation.create': 'invited',
  'invitation.revoke': 'took back the invitation of',
  'key.create': 'created the secret key',
  'key.revoke': 'revoked the secret key',
  'sign-in': 'signed in as',
  'sign-in.failed': 'gave a wrong password for',
  'sign-out': 'signed out as',
  'session.revoke': 'ended a session of',
} as const

export type AuditAction = keyof typeof auditActions

export const isAuditAction = (name: unknown): name is AuditAction =>
  typeof name === 'string' && Object.hasOwn(auditActions, name)
