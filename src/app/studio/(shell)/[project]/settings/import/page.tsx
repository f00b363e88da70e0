export { metadata, ImportPage as default } from '#studio/settings/import/ImportPage'
