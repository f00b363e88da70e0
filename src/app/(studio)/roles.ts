import type { Role } from '#projects/access'

/** What each role means to the person who gets it. */
export const roleDescriptions: Record<Role, string> = {
  owner: 'Owners may do everything, and decide who else owns the project.',
  admin: 'Admins look after settings, members and keys.',
  editor: 'Editors work in the project; its settings are for admins.',
  viewer: 'Viewers see everything in the project and change nothing.',
}

export const roleLabels: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  viewer: 'Viewer',
}
