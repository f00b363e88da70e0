export { metadata, NewAlertPage as default } from '#studio/alerts/NewAlertPage'
