export { generateMetadata, SingleDashboardPage as default } from '#studio/dashboards/SingleDashboardPage'
