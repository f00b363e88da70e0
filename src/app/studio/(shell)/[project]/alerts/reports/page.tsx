export { metadata, ReportsPage as default } from '#studio/alerts/reports/ReportsPage'
