//go:build ignore

// Verifies some addresses and retries after any failure: go run verify_with_retries.go a@example.com b@example.com
// RCPT_URL and RCPT_API_KEY say where, and for whom.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"time"
)

const attempts = 6

// A Result has more fields than these: take what you need.
type Result struct {
	Email  string  `json:"email"`
	Status string  `json:"status"`
	Score  int     `json:"score"`
	Reason *string `json:"reason"`
}

// A Refusal is an answer that asking again would not change.
type Refusal struct {
	Status int
	Body   string
}

func (r Refusal) Error() string { return fmt.Sprintf("%d: %s", r.Status, r.Body) }

var client = http.Client{Timeout: 100 * time.Second}

// post asks once. After an error that is no Refusal it may be asked again, the wait at the earliest.
func post(body []byte) (results []Result, wait time.Duration, err error) {
	request, err := http.NewRequest(http.MethodPost, os.Getenv("RCPT_URL")+"/api/v1/verify", bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RCPT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	switch status := response.StatusCode; {
	case err != nil:
		return nil, 0, err // it may be asked again
	case status == http.StatusOK:
		err = json.Unmarshal(text, &results)
		return results, 0, err
	case status == http.StatusTooManyRequests:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return nil, time.Duration(seconds) * time.Second, errors.New(response.Status)
	case status >= 500:
		return nil, 0, errors.New(response.Status)
	default:
		// 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
		return nil, 0, Refusal{status, string(text)}
	}
}

func verify(emails []string) ([]Result, error) {
	body, err := json.Marshal(map[string][]string{"emails": emails})
	if err != nil {
		return nil, err
	}
	most := 500 * time.Millisecond
	for attempt := 0; attempt < attempts; attempt++ {
		var refusal Refusal
		results, wait, err := post(body)
		if err == nil || errors.As(err, &refusal) {
			return results, err
		}
		log.Print(err)
		// Full jitter, so that many callers do not come back at once.
		time.Sleep(wait + time.Duration(rand.Int63n(int64(most))))
		if most *= 2; most > 30*time.Second {
			most = 30 * time.Second
		}
	}
	return nil, errors.New("the service does not answer: try again later")
}

func main() {
	results, err := verify(os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range results {
		reason := "-"
		if result.Reason != nil {
			reason = *result.Reason
		}
		fmt.Println(result.Email, result.Status, result.Score, reason)
	}
}
