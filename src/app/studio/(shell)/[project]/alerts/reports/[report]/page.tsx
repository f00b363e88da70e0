export { metadata, ReportPage as default } from '#studio/alerts/reports/ReportPage'
