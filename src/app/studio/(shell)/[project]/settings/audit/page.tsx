export { metadata, AuditPage as default } from '#studio/settings/audit/AuditPage'
