export { metadata, NewReportPage as default } from '#studio/alerts/reports/NewReportPage'
