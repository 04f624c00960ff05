package words

// chineseTimeline is the timeline in Chinese.
var chineseTimeline = map[string]string{}
