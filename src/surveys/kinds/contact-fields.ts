export const contactFields = ['name', 'email', 'phone', 'company'] as const
export type ContactField = (typeof contactFields)[number]
