export { metadata, AlertPage as default } from '#studio/alerts/AlertPage'
