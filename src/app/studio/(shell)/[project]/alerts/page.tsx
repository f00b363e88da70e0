export { metadata, AlertsPage as default } from '#studio/alerts/AlertsPage'
