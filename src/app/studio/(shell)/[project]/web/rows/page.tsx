export { metadata, RowsPage as default } from '#studio/web/rows/RowsPage'
