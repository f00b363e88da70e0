export { metadata, ExportPage as default } from '#studio/settings/export/ExportPage'
