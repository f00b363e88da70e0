export { metadata, AnalyticsSettingsPage as default } from '#studio/settings/analytics/AnalyticsSettingsPage'
