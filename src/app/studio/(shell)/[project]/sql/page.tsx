export { metadata, SqlPage as default } from '#studio/sql/SqlPage'
