export { metadata, EmailPage as default } from '#studio/settings/email/EmailPage'
