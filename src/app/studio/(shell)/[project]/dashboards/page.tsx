export { metadata, DashboardsPage as default } from '#studio/dashboards/DashboardsPage'
