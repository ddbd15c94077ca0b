import type { WordTable } from './word-table.ts';

/** Chinese, simplified and traditional, and Japanese: phrases found without spaces around them, the longest first. */
export const CJK = {
  BOX: `收件人地址 收件人 收信人 收件者 接收者 用户邮箱 用戶郵箱 邮箱地址 电子邮箱 邮箱 郵箱 信箱 邮件地址 郵件地址 用户名 用户 用戶 使用者 账号 帐号 帳號 账户 帐户 帳戶 邮件账户 电子邮件地址
    受信者 宛先アドレス 宛先 ユーザー名 ユーザー ユーザ メールボックス メールアドレス アカウント 受取人 利用者`,
  MSG: `邮件 郵件 信件 メール メッセージ`,
  SENDER: `发件人地址 发件人 發件人 寄件人 寄件者 发信人 发送者 发件域 送信者 差出人 送信元アドレス 送信元 送信ドメイン 发件人域名`,
  CLIENT: `连接 連接 连线 接続元 接続 ホスト`,
  IP: `IP地址 ip地址 ipアドレス 您的ip 你的ip 对方ip 发信ip 来源ip`,
  DOMAIN: `域名 网域 網域 ドメイン`,
  LIST: `黑名单 黑名單 拦截列表 ブラックリスト`,
  SPAM: `垃圾邮件 垃圾郵件 反垃圾 迷惑メール スパム 病毒`,
  POLICY: `策略 政策 ポリシー`,
  AUTH: `身份验证 认证 認証`,
  RATE: `频率 過多 过多 太多 过于频繁 频繁 多すぎ 超过限制`,
  REPUTE: `信誉 信譽 レピュテーション`,
  RDNS: `反向解析 逆引き`,
  RELAY: `中继 中繼 转发 転送 中継`,
  not: `没有 沒有 无此 無此 未找到 找不到 查无此 查無此 未 没 不 ません ない いません ありません 見つかりません`,
  exist: `存在 有效 可用 注册 开通 激活 有効 登録 見つかり`,
  gone: `不存在 未知 无效 無效 已停用 停用 被停用 已禁用 禁用 已注销 注销 已删除 冻结 凍結 已冻结 被冻结 锁定 已过期 已关闭 不明 無効 存在しません 存在しない 存在しておりません 見つかりません 停止 休止 解約 廃止`,
  refused: `拒绝 拒絕 被拒 禁止 拒否 不允许`,
  blocked: `屏蔽 封禁 封锁 被封 拦截 ブロック`,
  full: `已满 已滿 满 いっぱい 満杯 一杯`,
  exceeded: `超出 超过 超過`,
  quota: `配额 配額 容量 クォータ`,
  storage: `空间 空間`,
  insufficient: `不足`,
  limit: `限制 上限 制限`,
  failed: `失败 失敗 错误 エラー`,
  required: `需要 必须 必要`,
} as const satisfies WordTable;
