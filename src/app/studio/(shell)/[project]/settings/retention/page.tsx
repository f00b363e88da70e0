export { metadata, RetentionPage as default } from '#studio/settings/retention/RetentionPage'
