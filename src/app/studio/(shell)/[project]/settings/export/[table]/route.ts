export { GET } from '#studio/settings/export/table-export-route'
