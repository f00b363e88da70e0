export { metadata, EnvironmentsPage as default } from '#studio/flags/environments/EnvironmentsPage'
